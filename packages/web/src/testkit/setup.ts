import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { resetAddresses } from '#data/transport/addresses.ts'

// Screens are lazy modules, and the first one loads slowly on a busy machine.
configure({ asyncUtilTimeout: 15_000 })

// Missing in jsdom; Mantine and the toaster only need them to exist.
window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
})
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.HTMLElement.prototype.scrollIntoView = () => {}
window.HTMLElement.prototype.setPointerCapture = () => {}

beforeEach(() => {
  resetAddresses()
  localStorage.clear()
  sessionStorage.clear()
  sessionStorage.clear()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
