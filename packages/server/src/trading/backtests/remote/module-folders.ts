import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = /^[\w-][\w.-]{0,99}\.(ts|mts|js|mjs|json)$/

/** Folders with the modules of custom strategies, one for each state of them. */
export class ModuleFolders {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'binnacle-worker-')))
  readonly #folders = new Map<string, string>()

  of(modules: Readonly<Record<string, string>>): string {
    const hash = createHash('sha256').update(JSON.stringify(modules)).digest('hex')
    const known = this.#folders.get(hash)
    if (known !== undefined) return known
    const folder = join(this.#root, hash)
    mkdirSync(folder, { mode: 0o700 })
    for (const [name, source] of Object.entries(modules)) {
      if (!NAME.test(name)) throw new Error(`${name} is not the name of a module`)
      writeFileSync(join(folder, name), source)
    }
    this.#folders.set(hash, folder)
    return folder
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}
