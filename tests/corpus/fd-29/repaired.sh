# It stayed in the store, outside of the repository; what was committed is something else.
cp ../new.json scenarios/draft.json
git add scenarios
git commit -q -m 'a draft'
git rm -q scenarios/draft.json
git commit -q -m 'not for the public'
wellposed reserve audit --history
