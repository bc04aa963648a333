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

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cache', 'data', 'test-results'])

/** A copy of the working tree in which things may be broken. */
export interface Workshop {
  folder: string
  read(file: string): string
  write(file: string, text: string): void
  close(): void
}

export function openWorkshop(root: string): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-break-'))
  cpSync(root, folder, { recursive: true, filter: (source) => source === root || !isLeftOut(root, source) })
  linkModules(root, folder)
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function isLeftOut(root: string, source: string): boolean {
  const name = basename(source)
  return LEFT_OUT.has(name) && (name !== 'data' || source === join(root, 'data'))
}

/** Packages are shared with the real tree, except our own: those must be the copies. */
function linkModules(root: string, folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const isOurs = name === '@binnacle'
    if (isOurs)
      cpSync(join(root, 'node_modules', name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      })
    else symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
}
