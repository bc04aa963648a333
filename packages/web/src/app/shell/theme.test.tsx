import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'

describe('the theme', () => {
  beforeEach(() => {
    createFakeApi()
    // The store reads the browser's memory when it is loaded, as at a reload of the page.
    vi.resetModules()
  })

  async function openConsole() {
    const { renderConsole } = await import('#testkit/render-page.tsx')
    return renderConsole('/trader/alerts')
  }

  test('[THEME-1] is light when nothing is stored', async () => {
    await openConsole()
    await screen.findByRole('button', { name: 'Switch to dark theme' })
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'light')
  })

  test('[THEME-1] is light when something odd is stored', async () => {
    localStorage.setItem('binnacle.theme', '{broken')
    await openConsole()
    expect(await screen.findByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument()
  })

  test('[THEME-5] a choice that an earlier version stored is kept, and a later one replaces it', async () => {
    localStorage.setItem('binnacle.theme', '"dark"')
    const { user } = await openConsole()
    await user.click(await screen.findByRole('button', { name: 'Switch to system theme' }))
    cleanup()
    vi.resetModules()
    const reloaded = await openConsole()
    await reloaded.user.click(await screen.findByRole('button', { name: 'Switch to light theme' }))
    cleanup()
    vi.resetModules()
    await openConsole()
    expect(await screen.findByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument()
  })

  test('[THEME-6] the palette changes the colours of gains and losses by keyboard, and a reload keeps them', async () => {
    const { user } = await openConsole()
    await screen.findByRole('button', { name: 'Switch to dark theme' })
    await user.keyboard('{Control>}k{/Control}')
    const change = await screen.findByRole('button', { name: 'Gains and losses in blue and orange' })
    change.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-up-down', 'blue-orange'))
    cleanup()
    vi.resetModules()
    delete document.documentElement.dataset.upDown
    await openConsole()
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-up-down', 'blue-orange'))
  })

  test('[THEME-2][THEME-3] the header’s toggle switches to dark, which a reload keeps', async () => {
    const { user } = await openConsole()
    await user.click(await screen.findByRole('button', { name: 'Switch to dark theme' }))
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark'))
    cleanup()
    vi.resetModules()
    await openConsole()
    expect(await screen.findByRole('button', { name: 'Switch to system theme' })).toBeInTheDocument()
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  test('[THEME-4] after dark the toggle offers the system’s theme, which follows its changes', async () => {
    const system = Object.assign(new EventTarget(), { matches: true })
    const { matchMedia } = window
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      query === '(prefers-color-scheme: dark)'
        ? Object.assign(matchMedia(query), {
            matches: system.matches,
            addEventListener: system.addEventListener.bind(system),
          })
        : matchMedia(query),
    )
    const { user } = await openConsole()
    await user.click(await screen.findByRole('button', { name: 'Switch to dark theme' }))
    await user.click(await screen.findByRole('button', { name: 'Switch to system theme' }))
    const page = document.documentElement
    await waitFor(() => expect(page).toHaveAttribute('data-mantine-color-scheme', 'dark'))
    expect(JSON.parse(localStorage.getItem('binnacle.preferences') ?? '')).toMatchObject({ theme: 'system' })
    act(() => {
      system.dispatchEvent(Object.assign(new Event('change'), { matches: false }))
    })
    await waitFor(() => expect(page).toHaveAttribute('data-mantine-color-scheme', 'light'))
    await user.click(await screen.findByRole('button', { name: 'Switch to light theme' }))
    expect(await screen.findByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument()
  })
})
