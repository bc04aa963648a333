import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { getPreferences, setPreference } from '#state/preferences.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { reloadPreferences } from '#testkit/reload-preferences.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { preferDark } from '#testkit/system-theme.ts'

describe('the theme', () => {
  beforeEach(() => {
    createFakeApi()
  })

  function openConsole() {
    return renderConsole('/trader/alerts')
  }

  function reload() {
    cleanup()
    reloadPreferences()
    return openConsole()
  }

  test('[THEME-1] is light when nothing is stored', async () => {
    openConsole()
    await screen.findByRole('button', { name: 'Switch to dark theme' })
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'light')
  })

  test('[THEME-1] is light when something odd is stored', async () => {
    localStorage.setItem('binnacle.theme', '{broken')
    reload()
    expect(await screen.findByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument()
  })

  test('[THEME-5] a choice that an earlier version stored is kept, and a later one replaces it', async () => {
    localStorage.setItem('binnacle.theme', '"dark"')
    const { user } = reload()
    await user.click(await screen.findByRole('button', { name: 'Switch to system theme' }))
    const reloaded = reload()
    await reloaded.user.click(await screen.findByRole('button', { name: 'Switch to light theme' }))
    reload()
    expect(await screen.findByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument()
  })

  test('[THEME-6] the palette changes the colours of gains and losses by keyboard, and a reload keeps them', async () => {
    const { user } = openConsole()
    await screen.findByRole('button', { name: 'Switch to dark theme' })
    await user.keyboard('{Control>}k{/Control}')
    const change = await screen.findByRole('button', { name: 'Gains and losses in blue and orange' })
    change.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-up-down', 'blue-orange'))
    delete document.documentElement.dataset.upDown
    reload()
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-up-down', 'blue-orange'))
  })

  test('[THEME-2][THEME-3] the header’s toggle switches to dark, which a reload keeps', async () => {
    const { user } = openConsole()
    await user.click(await screen.findByRole('button', { name: 'Switch to dark theme' }))
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark'))
    reload()
    expect(await screen.findByRole('button', { name: 'Switch to system theme' })).toBeInTheDocument()
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })

  test('[THEME-4] after dark the toggle offers the system’s theme, which follows its changes', async () => {
    const { user } = openConsole()
    await user.click(await screen.findByRole('button', { name: 'Switch to dark theme' }))
    await user.click(await screen.findByRole('button', { name: 'Switch to system theme' }))
    const page = document.documentElement
    await waitFor(() => expect(page).toHaveAttribute('data-mantine-color-scheme', 'light'))
    act(() => preferDark(true))
    await waitFor(() => expect(page).toHaveAttribute('data-mantine-color-scheme', 'dark'))
    expect(JSON.parse(localStorage.getItem('binnacle.preferences') ?? '')).toMatchObject({ theme: 'system' })
    act(() => preferDark(false))
    await waitFor(() => expect(page).toHaveAttribute('data-mantine-color-scheme', 'light'))
    await user.click(await screen.findByRole('button', { name: 'Switch to light theme' }))
    expect(await screen.findByRole('button', { name: 'Switch to dark theme' })).toBeInTheDocument()
  })

  test('[THEME-7] what another tab chose is taken over, and not overwritten by the next choice', async () => {
    const { user } = openConsole()
    const toggle = await screen.findByRole('button', { name: 'Switch to dark theme' })
    setPreference('rail', 'narrow')
    const chosenElsewhere = JSON.stringify({ theme: 'dark', watchlist: ['ETHUSDT'] })
    localStorage.setItem('binnacle.preferences', chosenElsewhere)
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'binnacle.preferences' }))
    })
    expect(toggle).toHaveAccessibleName('Switch to system theme')
    expect(getPreferences()).toMatchObject({ rail: 'wide', watchlist: ['ETHUSDT'] })
    await user.click(toggle)
    expect(JSON.parse(localStorage.getItem('binnacle.preferences') ?? '')).toEqual({
      theme: 'system',
      watchlist: ['ETHUSDT'],
    })
  })

  test('[THEME-7] what another tab stores of something else changes nothing', () => {
    setPreference('rail', 'narrow')
    localStorage.setItem('binnacle.preferences', '{}')
    window.dispatchEvent(new StorageEvent('storage', { key: 'binnacle.sql-draft.1' }))
    expect(getPreferences().rail).toBe('narrow')
  })
})
