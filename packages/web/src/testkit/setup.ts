import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { forgetAddresses } from '#data/transport/addresses.ts'

// Screens arrive as lazy modules: on a busy machine the first one takes its time, and waiting costs nothing.
configure({ asyncUtilTimeout: 15_000 })

// jsdom lays nothing out; Mantine and the toaster only need these to exist.
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
  forgetAddresses()
  localStorage.clear()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
