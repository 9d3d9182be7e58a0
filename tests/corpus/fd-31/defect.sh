# The image that a system runs in holds the bundle, with the schedule to come and what is expected.
mkdir -p ../image/opt/harness
cp ../new.json ../image/opt/harness/case.json
cp ../runs/1/inbox.jsonl ../image/opt/
wellposed reserve audit --readable ../image
