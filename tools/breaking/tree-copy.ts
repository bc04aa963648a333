import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const EXCLUDED = new Set(['node_modules', 'dist', '.git', '.cache', 'data', 'test-results'])

/** A copy of the working tree that edits may break. */
export interface TreeCopy {
  folder: string
  read(file: string): string
  write(file: string, text: string): void
  close(): void
}

export function copyTree(root: string): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-break-'))
  cpSync(root, folder, { recursive: true, filter: (source) => source === root || !isExcluded(root, source) })
  linkModules(root, folder)
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function isExcluded(root: string, source: string): boolean {
  const name = basename(source)
  return EXCLUDED.has(name) && (name !== 'data' || source === join(root, 'data'))
}

/** Links the installed packages of the real tree; our own packages are the copies. */
function linkModules(root: string, folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const isOwn = name === '@binnacle'
    if (isOwn)
      cpSync(join(root, 'node_modules', name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      })
    else symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
}
