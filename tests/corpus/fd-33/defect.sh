# The plain hash of a scenario is published as if nobody could find out what it is of.
digest=$(sha256sum ../new.json | cut -d ' ' -f 1)
cp ../new.json ../store/$digest.json
wellposed reserve publish sha256:$(sha256sum ../new.json | cut -d ' ' -f 1) --batch plain --reveal-by 2099-12-31 --store ../store
