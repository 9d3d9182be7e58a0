# A sealed scenario was committed by accident, and removed again in the next commit. Every clone has it.
cp ../store/$(cat ../closed).json scenarios/draft.json
git add scenarios
git commit -q -m 'a draft'
git rm -q scenarios/draft.json
git commit -q -m 'not for the public'
wellposed reserve audit --history
