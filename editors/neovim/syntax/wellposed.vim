" Words of the scenario language; the language server knows what they mean.
if exists('b:current_syntax')
  finish
endif

syntax iskeyword @,48-57,_,-

syntax keyword wellposedDeclaration conversation expect family import rules scenario skin stub
syntax keyword wellposedHeader anchor anchors body effect from horizon level message posture subject title work-item
syntax keyword wellposedControl after and any as at because by else for if in not of on or then to when with within
syntax keyword wellposedStatement agent approval approve crash deferred deliver draft effects escalate forge hash hold jump kill newest oldest redeliver reject rejection release repeat wrong
syntax keyword wellposedExpectation abandoned admitted agrees carries catches claims completed distinct drafted exactly invariants never once only open orphaned reassigned rejected reply sent settle state
" `contains` would be an argument of `syntax keyword`.
syntax match wellposedRule /\<contains\>/
syntax keyword wellposedRule admit ends is refuse rest starts
syntax keyword wellposedDirective allow
syntax keyword wellposedLevel L0 L1 L2 L3 L4 L5 L6
syntax match wellposedCode /\<WP\d\{3}\>/
syntax match wellposedNumber /\<\d[0-9_]*\>/
syntax match wellposedBackquoted /`[^`]*`\?/
syntax match wellposedEscape /\\\(u{\x\+}\|.\)/ contained
syntax match wellposedPlaceholder /{\a[A-Za-z0-9_-]*}/ contained
syntax region wellposedString start=/"/ skip=/\\./ end=/"\|$/ contains=wellposedEscape,wellposedPlaceholder
syntax region wellposedString start=/"""/ skip=/\\./ end=/"""/ contains=wellposedEscape,wellposedPlaceholder
syntax match wellposedComment /#.*$/

highlight default link wellposedDeclaration Structure
highlight default link wellposedHeader Type
highlight default link wellposedControl Conditional
highlight default link wellposedStatement Statement
highlight default link wellposedExpectation Keyword
highlight default link wellposedRule Keyword
highlight default link wellposedDirective PreProc
highlight default link wellposedLevel Constant
highlight default link wellposedCode Constant
highlight default link wellposedNumber Number
highlight default link wellposedBackquoted Identifier
highlight default link wellposedEscape SpecialChar
highlight default link wellposedPlaceholder Identifier
highlight default link wellposedString String
highlight default link wellposedComment Comment

let b:current_syntax = 'wellposed'
