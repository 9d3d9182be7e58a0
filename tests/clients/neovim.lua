-- A session in Neovim with the plugin of editors/neovim; prints one JSON line of what the editor then knows.
local told = {}

local function wait(what, done)
  if not vim.wait(30000, done, 20) then
    io.stdout:write("timed out: " .. what .. "\n")
    vim.cmd("cquit")
  end
end

local function errors()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end

local function ask(method, line, column, more)
  local place = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = column } }
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", place, more or {}), 30000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

local function line_with(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return number - 1, column - 1, line
    end
  end
end

told.filetype = vim.bo.filetype
wait("the server", function()
  local _, client = next(vim.lsp.buf_get_clients(0))
  return client ~= nil and client.initialized
end)
wait("the first diagnostics", function()
  return #vim.diagnostic.get(0) > 0
end)
told.first = #errors()

-- Behind characters beyond the basic plane, in a line of its own kind.
local title, _, line = line_with("title")
vim.api.nvim_buf_set_lines(0, title, title + 1, false, { line .. " oops" })
wait("an error", function()
  return #errors() > 0
end)
local found = errors()[1]
told.code = found.code
told.column = found.col
told.expected_column = #line + 1
vim.api.nvim_buf_set_lines(0, title, title + 1, false, { line })
wait("no error", function()
  return #errors() == 0
end)

local row, column = line_with("approve")
told.hover = ask("textDocument/hover", row, column + 1).contents.value
local uses, at = line_with("of go")
told.definition = ask("textDocument/definition", uses, at + 3)[1].range.start.line
told.declared = row
told.symbols = ask("textDocument/documentSymbol", 0, 0)[1].name

vim.api.nvim_buf_set_lines(0, row, row + 1, false, { "at   12   approve m1   as go" })
vim.lsp.buf.formatting_sync(nil, 30000)
told.formatted = vim.api.nvim_buf_get_lines(0, row, row + 1, false)[1]

local words = {}
for _, word in ipairs(vim.fn.split(vim.env.WORDS)) do
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { word .. " " })
  if vim.fn.synIDattr(vim.fn.synID(1, 1, 1), "name") == "" then
    table.insert(words, word)
  end
end
told.plain_words = table.concat(words, " ")
io.stdout:write(vim.json and vim.json.encode(told) or vim.fn.json_encode(told), "\n")
vim.cmd("qall!")
