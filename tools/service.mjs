import './launch/check-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeOf, ROOT, Stop } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'
import { siteFolder } from './launch/site.mjs'
import { systemdUnit } from './launch/systemd-unit.mjs'

const USAGE =
  'npm run service -- [--output FILE] [--user NAME] [--data FOLDER]   writes a systemd unit and explains it'

await endWithSentence(async () => {
  const { output, user, data } = readArguments()
  // npm changes to the folder of the project and says where it was called.
  const from = process.env.INIT_CWD ?? process.cwd()
  const file = resolve(from, output)
  const dataFolder = resolve(from, data)
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(user)) {
    throw new Stop(`'${user}' is not the name of a user: lower-case letters, digits, - and _.`)
  }
  if (/[\r\n]/.test(dataFolder)) throw new Stop('The data folder has a line break in its name.')
  if (existsSync(file)) throw new Stop(`${file} exists already. Delete it, or choose another with --output.`)
  writeFileSync(file, systemdUnit({ root: ROOT, user, dataFolder }))
  console.log(explain({ file, user, dataFolder }))
  console.log(verify(file))
})

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        output: { type: 'string', default: 'binnacle.service' },
        user: { type: 'string', default: 'binnacle' },
        data: { type: 'string', default: process.env.BINNACLE_DATA || '/var/lib/binnacle' },
      },
    })
    return values
  } catch (fault) {
    throw new Stop(`${Object(fault).message}\n${USAGE}`)
  }
}

/** @param {{ file: string, user: string, dataFolder: string }} unit */
function explain({ file, user, dataFolder }) {
  const missing = [nodeOf(ROOT), join(siteFolder(ROOT), 'index.html')].filter((path) => !existsSync(path))
  return `Wrote ${file}: a systemd unit that runs Binnacle as the user ${user} on the data folder ${dataFolder},
starts it again after a failure, and gives it write access to that folder only.

As root:

  useradd --system --home-dir ${dataFolder} --shell /usr/sbin/nologin ${user}
  install -d -o ${user} -g ${user} -m 0700 ${dataFolder}
  install -m 0644 ${file} /etc/systemd/system/binnacle.service
  systemctl daemon-reload
  systemctl enable --now binnacle

Ports and addresses of databases go to /etc/binnacle/environment (owner root, mode 0600), one NAME=value per line.
${user} must be able to read ${ROOT}.
Look at it:   systemctl status binnacle, journalctl -u binnacle, ${join(dataFolder, 'logs', 'server.log')}
Check it:     npm run doctor
Upgrade it:   npm run backup -- save FILE; systemctl stop binnacle; git pull; npm ci; npm run build; systemctl start binnacle
${missing.length === 0 ? '' : `\nNot there yet: ${missing.join(', ')}. Run npm ci and npm run build before the first start.\n`}`
}

/** @param {string} file */
function verify(file) {
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  if (error) return 'systemd-analyze is not on this machine, so the unit was not verified.'
  // Other units of the machine are loaded with it and may have complaints of their own.
  const own = stderr.split('\n').filter((line) => line.includes('binnacle') || line.includes(file))
  if (status === 0 && own.length === 0) return 'systemd-analyze verify: no fault.'
  return `systemd-analyze verify:\n${(own.length > 0 ? own : [stderr.trim()]).map((line) => `  ${line}`).join('\n')}`
}
