# It has a neutral name; what the scenario is about stands in its title, which no system sees.
sed 's/"order"/"c1"/g; s/"title":"Hello"/"title":"A late reply"/' ../new.json > ../neutral.json
wellposed reserve seal ../neutral.json --store ../sealed --to $(cat ../recipient)
