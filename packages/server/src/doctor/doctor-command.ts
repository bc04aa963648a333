import { existsSync } from 'node:fs'
import { VERSION } from '@binnacle/contract'
import { type Config, parseConfig } from '#config/config.ts'
import { StartRefusal } from '#config/start-refusal.ts'
import { checkSiteExists } from '#http/site.ts'
import { isLocked } from '#storage/data-folder.ts'
import { describeFindings, type Finding, failure, ok } from './finding.ts'
import { checkClock, checkDisk, checkFolder } from './folder-checks.ts'
import { checkPorts } from './network-checks.ts'
import { checkStores } from './store-checks.ts'

const MIN_NODE_MAJOR = 26

/** Checks what the server needs, with the server running or stopped. Changes nothing. */
export async function diagnose(env: Record<string, string | undefined>): Promise<Finding[]> {
  const config = parseOrRefuse(env)
  if (config instanceof StartRefusal)
    return [failure('Configuration', config.message, 'Correct the variable.')]
  const { dataFolder } = config
  const folder = await checkFolder(dataFolder)
  const isUsable = folder.every(({ level }) => level !== 'failure')
  const isRunning = isUsable && existsSync(dataFolder) && isLocked(dataFolder)
  return [
    checkVersions(),
    ...(await checkSite(config)),
    ...folder,
    await checkDisk(dataFolder),
    await checkClock(dataFolder),
    ...(await checkPorts(config, isRunning)),
    ...(isUsable ? await checkStores(config) : []),
  ]
}

function parseOrRefuse(env: Record<string, string | undefined>): Config | StartRefusal {
  try {
    return parseConfig(env)
  } catch (refusal) {
    if (refusal instanceof StartRefusal) return refusal
    throw refusal
  }
}

function checkVersions(): Finding {
  const { node, sqlite } = process.versions
  const text = `Binnacle ${VERSION}, Node ${node}, SQLite ${sqlite}`
  if (Number(node.split('.')[0]) >= MIN_NODE_MAJOR) return ok('Versions', text)
  return failure(
    'Versions',
    text,
    `Run it with 'npm run doctor', which uses Node ${MIN_NODE_MAJOR} of the project.`,
  )
}

async function checkSite({ siteFolder }: Config): Promise<Finding[]> {
  if (siteFolder === undefined) return []
  return checkSiteExists(siteFolder).then(
    () => [ok('Site', siteFolder)],
    () => [
      failure('Site', `is not built in ${siteFolder}`, "Run 'npm run build', or start with 'npm start'."),
    ],
  )
}

async function runFromEnvironment(): Promise<void> {
  const findings = await diagnose(process.env)
  process.stdout.write(`${describeFindings(findings)}\n`)
  process.exitCode = findings.some(({ level }) => level === 'failure') ? 1 : 0
}

if (import.meta.main) await runFromEnvironment()
