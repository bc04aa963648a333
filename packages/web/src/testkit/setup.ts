import '@testing-library/jest-dom/vitest'
import { cleanup, configure, getConfig } from '@testing-library/react'
import * as React from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { resetAddresses } from '#data/transport/addresses.ts'
import { resetChosenEngine } from '#data/transport/chosen-engine.ts'
import { quickenComputedStyles } from './computed-style.ts'
import { quickenSelectors } from './quick-selectors.ts'
import { reloadPreferences } from './reload-preferences.ts'
import { keepSheetsOut } from './sheets.ts'
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
keepSheetsOut(document.head)
// React stores a stack trace with 10,000 elements a second, which takes a tenth of the time. Only `captureOwnerStack` reads it.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => 10_000, set: () => {}, configurable: true },
)
// jsdom paints nothing, and would print a warning for every canvas.
window.HTMLCanvasElement.prototype.getContext = () => null

beforeEach(() => {
  resetAddresses()
  localStorage.clear()
  sessionStorage.clear()
  reloadPreferences()
  resetChosenEngine()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
