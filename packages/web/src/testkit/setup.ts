import '@testing-library/jest-dom/vitest'
import { cleanup, configure, getConfig } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { resetAddresses } from '#data/transport/addresses.ts'
import { resetChosenEngine } from '#data/transport/chosen-engine.ts'
import { quickenComputedStyles } from './computed-style.ts'
import { quickenSelectors } from './quick-selectors.ts'
import { reloadPreferences } from './reload-preferences.ts'
import { systemTheme } from './system-theme.ts'

const { getElementError } = getConfig()

configure({
  // Screens are lazy modules, and the first one loads slowly on a busy machine.
  asyncUtilTimeout: 60_000,
  // Printing the document takes a tenth of the time. While a test waits it is printed once, when the time is over.
  getElementError: (message, container) =>
    isWaiting()
      ? Object.assign(new Error(message ?? ''), ELEMENT_ERROR)
      : getElementError(message, container),
})

const ELEMENT_ERROR = { name: 'TestingLibraryElementError' }

/** Set by the library inside waitFor; its types do not have it. */
function isWaiting(): boolean {
  return Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
}

// Missing in jsdom; Mantine and the toaster only need them to exist.
const noMedia = {
  matches: false,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
}
window.matchMedia = (query) => (query === systemTheme.media ? systemTheme : { ...noMedia, media: query })
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.HTMLElement.prototype.scrollIntoView = () => {}
window.HTMLElement.prototype.setPointerCapture = () => {}
if (document.defaultView) {
  quickenComputedStyles(document.defaultView)
  quickenSelectors(document.defaultView)
}
// jsdom paints nothing, and would print a warning for every canvas.
window.HTMLCanvasElement.prototype.getContext = () => null

beforeEach(() => {
  resetAddresses()
  localStorage.clear()
  sessionStorage.clear()
  reloadPreferences()
  resetChosenEngine()
  // The rules of the toaster and the editor are about their looks; jsdom would match them against every element found.
  for (const sheet of document.querySelectorAll('head > style')) sheet.remove()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
