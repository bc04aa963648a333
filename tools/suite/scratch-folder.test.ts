import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testkit/temporary-folder.ts'
import { canExecute } from './scratch-folder.mjs'

const MODULE = JSON.stringify(join(import.meta.dirname, 'scratch-folder.mjs'))

test('the folder is open to servers of other users and is removed when the process exits', () => {
  const parent = temporaryFolder()
  const code = `
    const { createScratchFolder } = await import(${MODULE})
    const folder = createScratchFolder(${JSON.stringify(parent)})
    const { statSync, writeFileSync } = await import('node:fs')
    writeFileSync(folder + '/file', '')
    console.log(folder, (statSync(folder).mode & 0o777).toString(8))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const [folder = '', mode] = stdout.trim().split(' ')
  expect(folder.startsWith(parent)).toBe(true)
  expect(mode).toBe('711')
  expect(existsSync(folder)).toBe(false)
  expect(statSync(parent).isDirectory()).toBe(true)
})

test('a folder whose scripts can be run is found to be so', () => {
  expect(canExecute(temporaryFolder())).toBe(true)
})
