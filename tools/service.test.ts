import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeOf, ROOT } from './launch/project.mjs'
import { systemdUnit } from './launch/systemd-unit.mjs'

test('[OPS-4] npm run service writes a systemd unit that systemd accepts, and explains how to install it', () => {
  const folder = aFolder()
  const { status, stdout } = service(
    ['--output', 'desk.service', '--user', 'binnacle', '--data', '/srv/desk'],
    folder,
  )
  expect(status).toBe(0)
  const unit = readFileSync(join(folder, 'desk.service'), 'utf8')
  expect(unit).toContain('User=binnacle')
  expect(unit).toContain('Environment="BINNACLE_DATA=/srv/desk"')
  expect(unit).toContain(`ExecStart="${nodeOf(ROOT)}" "${join(ROOT, 'packages/server/src/main.ts')}"`)
  expect(unit).toContain('ReadWritePaths="/srv/desk"')
  expect(stdout).toContain('install -d -o binnacle -g binnacle -m 0700 /srv/desk')
  expect(stdout).toContain('systemctl enable --now binnacle')
  expect(stdout).toMatch(/systemd-analyze (verify: no fault|is not on this machine)|systemd-analyze verify:/)
  expect(stdout).not.toMatch(/Unknown (key|section)|Failed to parse|Invalid/i)
})

test('[OPS-4] an existing file is not overwritten, and a name that no user can have is refused', () => {
  const folder = aFolder()
  service([], folder)
  const again = service([], folder)
  expect(again.status).toBe(1)
  expect(again.stderr).toContain(`${join(folder, 'binnacle.service')} exists already.`)
  expect(service(['--user', 'a b', '--output', 'b.service'], folder).stderr).toContain(
    "'a b' is not the name",
  )
  expect(service(['--color'], folder).stderr).toContain('npm run service -- [--output FILE]')
})

test('[OPS-4] a percent sign and a quote in a path are escaped', () => {
  const unit = systemdUnit({ root: '/opt/50%', user: 'binnacle', dataFolder: '/srv/a "b"' })
  expect(unit).toContain('WorkingDirectory=/opt/50%%')
  expect(unit).toContain('ReadWritePaths="/srv/a \\"b\\""')
})

function service(args: string[], folder: string) {
  return spawnSync(process.execPath, [join(ROOT, 'tools', 'service.mjs'), ...args], {
    env: { PATH: process.env.PATH, INIT_CWD: folder },
    encoding: 'utf8',
  })
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-service-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
