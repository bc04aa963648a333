import { existsSync } from 'node:fs'

const USUAL_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const QUIET_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const isRoot = process.getuid?.() === 0
const executablePath = process.env.BINNACLE_CHROMIUM ?? USUAL_PATHS.find((path) => existsSync(path))

/** How to launch the browser: the one that BINNACLE_CHROMIUM names, one of the system, else Playwright's own. */
export const CHROMIUM = {
  ...(executablePath ? { executablePath } : {}),
  args: isRoot ? ['--no-sandbox', ...QUIET_FLAGS] : QUIET_FLAGS,
}
