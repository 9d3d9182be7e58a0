from hypothesis import HealthCheck, given, settings, strategies as st
from tests.dsl.formats import check_layout as _cl
from tests.dsl.test_format_properties import Spaced
from tests.dsl.test_spans import Writer
from wellposed.dsl.source import SourceFile
from wellposed.dsl.parser import parse
import os
def check_layout(s):
    try: return _cl(s)
    except AssertionError as e:
        p='/tmp/fail.txt'
        if not os.path.exists(p) or os.path.getsize(p)>len(s.text.encode()):
            open(p,'w',newline='').write(s.text)
            open('/tmp/fail.msg','w').write(repr(e)[:3000]+repr(parse(s)[1])[:2000])
        raise
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.sampled_from([Writer, Spaced, Spaced]))
def test_it(data, kind):
    w=kind(data); w.file(); check_layout(SourceFile("a.scenario", w.text))
