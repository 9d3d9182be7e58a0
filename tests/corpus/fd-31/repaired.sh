# It holds what was delivered so far, and nothing else.
mkdir -p ../image/opt
cp ../runs/1/inbox.jsonl ../image/opt/
wellposed reserve audit --readable ../image
