import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { find, PROGRAMS, prepareMachine } from './prerequisites.mjs'
import { temporaryFolder } from './testkit/temporary-folder.ts'

// A name that no machine has, so that the real program cannot be found instead.
const REDIS = { ...PROGRAMS.redis, commands: ['toy-redis-server'], places: [] }
const REAL = '#!/bin/sh\n'

test('a program is found on the path', () => {
  const folder = withPrograms({ 'toy-redis-server': REAL })
  expect(find(REDIS, { PATH: folder })).toBe(join(folder, 'toy-redis-server'))
  expect(find(REDIS, { PATH: '' })).toBeUndefined()
})

test('a stub that only says how to install the program is not the program', () => {
  const folder = withPrograms({ 'toy-redis-server': '#!/bin/sh\necho "install the snap" >&2\nexit 1\n' })
  expect(find(REDIS, { PATH: folder })).toBeUndefined()
})

test('a program is found at the configured path', () => {
  const folder = withPrograms({ 'my-redis': REAL })
  const program = join(folder, 'my-redis')
  expect(find(REDIS, { PATH: '', BINNACLE_REDIS_SERVER: program })).toBe(program)
  expect(find(REDIS, { PATH: '', BINNACLE_REDIS_SERVER: `${program}-gone` })).toBeUndefined()
})

test('of several versions in their usual folders the newest is taken, with its companions', () => {
  const folder = withPrograms({ '9/bin/postgres': REAL, '15/bin/postgres': REAL })
  const program = { ...PROGRAMS.postgresql, places: [`${folder}/*/bin/postgres`] }
  expect(find(program, { PATH: '' })).toBe(`${folder}/15/bin`)
})

test('what is missing is installed with apt-get and then found', async () => {
  vi.spyOn(console, 'log').mockReturnValue()
  const folder = withPrograms({
    sudo: '#!/bin/sh\nshift\nexec "$@"\n',
    'apt-get':
      '#!/bin/sh\ncd "$(dirname "$0")"\necho "$@" >> asked\nprintf "#!/bin/sh" > toy-redis-server\nchmod +x toy-redis-server\n',
  })
  expect(await prepareMachine([REDIS], { PATH: pathOf(folder) })).toEqual({
    env: { BINNACLE_REDIS_SERVER: join(folder, 'toy-redis-server') },
    missing: [],
    mayBeMissing: false,
  })
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe(
    'update -qq\ninstall -y -qq --no-install-recommends redis-server\n',
  )
})

test('where apt-get fails, one sentence says what is missing, why, and what to do', async () => {
  vi.spyOn(console, 'log').mockReturnValue()
  const folder = withPrograms({
    sudo: '#!/bin/sh\nshift\nexec "$@"\n',
    'apt-get': '#!/bin/sh\necho "Reading lists"\necho "E: no network" >&2\nexit 100\n',
  })
  expect(await prepareMachine([REDIS], { PATH: pathOf(folder) })).toEqual({
    env: {},
    missing: [
      'Redis is not on this machine and could not be installed (apt-get update says: E: no network): ' +
        'install the Redis server (redis), or set its path in BINNACLE_REDIS_SERVER.',
    ],
    mayBeMissing: false,
  })
})

test('[START-2] with the opt-out nothing is installed, and the sentence says what is missing and why', async () => {
  const folder = withPrograms({ 'apt-get': '#!/bin/sh\ncd "$(dirname "$0")"\ntouch started\n' })
  const machine = await prepareMachine([REDIS], { PATH: pathOf(folder), BINNACLE_NO_SYSTEM_INSTALL: '1' })
  expect(machine.missing).toEqual([
    'Redis is not on this machine and could not be installed (BINNACLE_NO_SYSTEM_INSTALL is set): ' +
      'install the Redis server (redis), or set its path in BINNACLE_REDIS_SERVER.',
  ])
  expect(machine.mayBeMissing).toBe(true)
  expect(existsSync(join(folder, 'started'))).toBe(false)
})

test('[START-2] before system packages are installed one line says which, why and how to opt out', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const folder = withPrograms({ sudo: '#!/bin/sh\nshift\nexec "$@"\n', 'apt-get': '#!/bin/sh\n' })
  await prepareMachine([REDIS], { PATH: pathOf(folder) })
  expect(log.mock.calls).toEqual([
    [
      'The tests need Redis. Installing the system packages redis-server with apt-get (BINNACLE_NO_SYSTEM_INSTALL=1 skips this)…',
    ],
  ])
})

test('nothing is installed when nothing is missing', async () => {
  const folder = withPrograms({ 'toy-redis-server': REAL, 'apt-get': '#!/bin/sh\ntouch "$0.was-asked"\n' })
  const machine = await prepareMachine([REDIS], { PATH: pathOf(folder) })
  expect(machine.missing).toEqual([])
  expect(existsSync(join(folder, 'apt-get.was-asked'))).toBe(false)
})

function pathOf(folder: string): string {
  return [folder, '/usr/bin', '/bin'].join(delimiter)
}

function withPrograms(files: Record<string, string>): string {
  const folder = temporaryFolder(files)
  for (const path of Object.keys(files)) chmodSync(join(folder, path), 0o755)
  return folder
}
