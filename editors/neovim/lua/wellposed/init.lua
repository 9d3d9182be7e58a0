-- Starts `wellposed lsp`, one for each root, and attaches buffers to it. Works from Neovim 0.7 on.
local M = { command = { "wellposed", "lsp", "--stdio" }, markers = { "pyproject.toml", ".git" } }

local clients = {}

-- Another command, or other files that mark the root of a project: `require("wellposed").setup({ command = { ... } })`.
function M.setup(options)
  M.command = options.command or M.command
  M.markers = options.markers or M.markers
end

-- The nearest folder above a file that has one of the markers, else the folder of the file.
function M.root(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  local here = folder
  while true do
    for _, marker in ipairs(M.markers) do
      if vim.loop.fs_stat(here .. "/" .. marker) then
        return here
      end
    end
    local above = vim.fn.fnamemodify(here, ":h")
    if above == here then
      return folder
    end
    here = above
  end
end

function M.attach(buffer)
  buffer = buffer == 0 and vim.api.nvim_get_current_buf() or buffer
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == "" or vim.bo[buffer].buftype ~= "" then
    return nil
  end
  local root = M.root(path)
  if not clients[root] and vim.fn.executable(M.command[1]) == 0 then
    vim.notify_once("wellposed: " .. M.command[1] .. " is not there; pip install 'wellposed[lsp]'", vim.log.levels.WARN)
    return nil
  end
  local config = {
    name = "wellposed",
    cmd = M.command,
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
    on_exit = function()
      clients[root] = nil
    end,
  }
  if vim.lsp.start then -- from Neovim 0.8 on, where it keeps the clients itself
    return vim.lsp.start(config, { bufnr = buffer })
  end
  clients[root] = clients[root] or vim.lsp.start_client(config)
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
  return clients[root]
end

return M
