from hypothesis import HealthCheck, given, settings, strategies as st
from tests.dsl.formats import check_layout
from tests.dsl.test_format_properties import Spaced
from tests.dsl.test_spans import Writer
from wellposed.dsl.source import SourceFile
@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.sampled_from([Writer, Spaced, Spaced]))
def test_it(data, kind):
    w=kind(data); w.file(); check_layout(SourceFile("a.scenario", w.text))
