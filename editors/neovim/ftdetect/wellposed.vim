autocmd BufRead,BufNewFile *.scenario,*.rules,*.skin setfiletype wellposed
