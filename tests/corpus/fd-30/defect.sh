# The conversation is called by what has to happen to it, and every system can read that.
sed 's/"order"/"reply-late"/g' ../new.json > ../labelled.json
wellposed reserve seal ../labelled.json --store ../sealed --to $(cat ../recipient)
