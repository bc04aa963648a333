import { join } from 'node:path'
import { nodeOf } from './project.mjs'
import { siteFolder } from './site.mjs'

/**
 * @typedef {object} UnitOptions
 * @property {string} root the project's folder
 * @property {string} user
 * @property {string} dataFolder
 * @property {string} [environmentFile] further variables, such as ports and addresses with passwords
 */

/**
 * A systemd unit that runs the server of this folder as its own user, without rights beyond the data folder.
 * @param {UnitOptions} options
 */
export function systemdUnit({ root, user, dataFolder, environmentFile = '/etc/binnacle/environment' }) {
  const main = join(root, 'packages', 'server', 'src', 'main.ts')
  return `[Unit]
Description=Binnacle, console and server of a trading engine
Documentation=file:${escapePath(join(root, 'docs', 'guide', 'operations.md'))}
After=network.target
# Five failed starts within a minute end the attempts: a refused start has a reason that a person must remove.
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
User=${user}
WorkingDirectory=${escapePath(root)}
Environment="BINNACLE_DATA=${escapePath(dataFolder)}"
Environment="BINNACLE_SITE=${escapePath(siteFolder(root))}"
# Further variables, one NAME=value per line; readable by root only, because addresses may contain passwords.
EnvironmentFile=-${escapePath(environmentFile)}
ExecStart="${escapePath(nodeOf(root))}" "${escapePath(main)}"
# SIGTERM completes the requests in flight and closes the journal.
KillMode=mixed
TimeoutStopSec=30
Restart=on-failure
RestartSec=2
UMask=0077
LimitNOFILE=65536

# The server writes to its data folder and nowhere else.
ProtectSystem=strict
ReadWritePaths="${escapePath(dataFolder)}"
ProtectHome=read-only
PrivateTmp=true
PrivateDevices=true
ProtectKernelTunables=true
ProtectKernelModules=true
ProtectControlGroups=true
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictSUIDSGID=true
LockPersonality=true
NoNewPrivileges=true
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
`
}

/**
 * A percent sign begins a specifier, a backslash an escape.
 * @param {string} path
 */
function escapePath(path) {
  return path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')
}
