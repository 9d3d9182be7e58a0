# How the demonstration in this folder's neighbours (`ledger.jsonl`, `revealed/`, `logs/`) was made, with the commands that docs/reserve/operator.md
# explains. Run once, from the top of the repository: `sh reserve/demonstration/make.sh`. It refuses to touch a ledger that is there.
#
# Operator, custodian and submitter are one here, the keys are thrown away, and everything happened within minutes: it shows how a batch looks,
# and proves nothing about any system. The submission is the reference system of the simulator, at the commit that was checked out.
set -eu
[ ! -e reserve/ledger.jsonl ] || { echo "reserve/ledger.jsonl is there already" >&2; exit 1; }
[ -z "$(git status --porcelain -- verifier)" ] || { echo "commit the simulator first: the frozen commit has to hold it" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head=$(git rev-parse HEAD)
harness=$(git ls-tree -r "$head" verifier | sha256sum | cut -d ' ' -f 1)

wellposed reserve seal reserve/demonstration/late-approvals.scenario --family late-approvals --draw 6 --store "$work/store" > "$work/sealed"
wellposed reserve publish $(cut -d ' ' -f 1 "$work/sealed") --batch demonstration --reveal-by "$(date -u -d '+30 days' +%F)" \
  --title 'The demonstration reserve of wellposed' --holder 'whoever ran reserve/demonstration/make.sh' --store "$work/store"
wellposed reserve apply --announce --batch demonstration \
  --submission reference 'this repository: wellposed simulate --system reference' "$head" "$(git rev-parse "$head^{tree}")" \
  --harness "sha256:$harness" --until "$(date -u -d '+30 days' +%F)"
for commit in $(cut -d ' ' -f 1 "$work/sealed"); do
  digits=${commit#sha256:}
  wellposed simulate "$work/store/$digits.json" --system reference --runs 5 --out "$work/runs-$digits"
  wellposed reserve apply --record "$work/runs-$digits"/* --entry "$digits" --name reference --store "$work/store"
done
wellposed reserve reveal --batch demonstration --author wellposed --store "$work/store"
wellposed reserve status
