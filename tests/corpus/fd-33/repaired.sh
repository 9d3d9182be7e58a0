# A nonce of 256 random bits is part of what is hashed.
wellposed reserve publish sha256:$(cat ../closed) --batch plain --reveal-by 2099-12-31 --store ../store --reserve ../reserve --title again --holder operator --max-reveal-days 36500
