import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { SettingsForm } from '#ports/controls.ts'
import { createSimulatedPorts } from '#ports/simulated/simulated-ports.ts'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { renderWithPorts } from '#testkit/render-with-ports.tsx'
import { passTime, stopTime } from '#testkit/time.ts'
import { forgetToasts, toastsOfType } from '#testkit/toasts.ts'
import { SettingsPage } from './settings-page.tsx'

const section = (name: string) => within(screen.getByRole('region', { name }))
const field = (label: string) => screen.getByLabelText(label)

const open = async () => {
  const api = createFakeApi()
  const view = renderConsole('/admin/settings')
  await screen.findByLabelText('System Name')
  return { ...view, api }
}

describe('settings', () => {
  afterEach(forgetToasts)

  it('[SET-1] General has a name and one of three environments', async () => {
    await open()
    expect(section('General').getByLabelText('System Name')).toHaveValue('Binnacle')
    const environment = section('General').getByLabelText('Environment')
    const options = within(environment).getAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual(['Production', 'Staging', 'Development'])
  })

  it('[SET-2] of Email, Slack and SMS only Email is on', async () => {
    await open()
    expect(section('Notifications').getByRole('switch', { name: 'Email' })).toBeChecked()
    expect(section('Notifications').getByRole('switch', { name: 'Slack' })).not.toBeChecked()
    expect(section('Notifications').getByRole('switch', { name: 'SMS' })).not.toBeChecked()
  })

  it('[SET-3] sessions end after 30 minutes and two factors are asked for', async () => {
    await open()
    expect(section('Security').getByLabelText('Session Timeout (minutes)')).toHaveValue(30)
    expect(section('Security').getByRole('switch', { name: 'Two-Factor Auth' })).toBeChecked()
  })

  it('[SET-4] 100 requests at once, cached for 3600 seconds', async () => {
    await open()
    expect(section('Performance').getByLabelText('Max Concurrent Requests')).toHaveValue(100)
    expect(section('Performance').getByLabelText('Cache TTL (seconds)')).toHaveValue(3600)
  })

  it('[SET-5] each section has Save and Reset, the page has four actions of its own', async () => {
    await open()
    for (const name of ['General', 'Notifications', 'Security', 'Performance']) {
      expect(section(name).getByRole('button', { name: 'Save' })).toBeEnabled()
      expect(section(name).getByRole('button', { name: 'Reset' })).toBeEnabled()
    }
    for (const name of ['Export', 'Import', 'Save All', 'Reset All']) {
      expect(screen.getByRole('button', { name })).toBeEnabled()
    }
    expect(screen.getByText('Simulated')).toBeVisible()
  })

  it.each([
    ['Export', 'export all settings', 'all settings would be exported'],
    ['Import', 'import all settings', 'all settings would be imported'],
    ['Save All', 'save all settings', 'all settings would be saved'],
    ['Reset All', 'reset all settings', 'all settings would be reset'],
  ])('[SET-6] %s makes no call and succeeds after 1000 ms', async (name, starting, done) => {
    const { api } = await open()
    stopTime()
    fireEvent.click(screen.getByRole('button', { name }))
    await passTime(990)
    expect(toastsOfType('info')).toEqual([`Simulating: ${starting}...`])
    expect(toastsOfType('success')).toEqual([])
    await passTime(20)
    expect(toastsOfType('success')).toEqual([`Simulated: ${done}`])
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })

  it.each([
    ['General', 'Save', 'Simulated: General settings would be saved'],
    ['Notifications', 'Save', 'Simulated: Notifications settings would be saved'],
    ['Security', 'Reset', 'Simulated: Security settings would be reset'],
    ['Performance', 'Reset', 'Simulated: Performance settings would be reset'],
  ])('[SET-6] %s, %s succeeds after 1000 ms', async (name, action, done) => {
    await open()
    stopTime()
    fireEvent.click(section(name).getByRole('button', { name: action }))
    await passTime(990)
    expect(toastsOfType('success')).toEqual([])
    await passTime(20)
    expect(toastsOfType('success')).toEqual([done])
  })

  it('[SET-7] nothing that is typed is refused', async () => {
    const { user } = await open()
    await user.clear(field('System Name'))
    fireEvent.change(field('Session Timeout (minutes)'), { target: { value: '-5' } })
    fireEvent.change(field('Cache TTL (seconds)'), { target: { value: '' } })
    stopTime()
    fireEvent.click(screen.getByRole('button', { name: 'Save All' }))
    await passTime(1010)
    expect(toastsOfType('success')).toEqual(['Simulated: all settings would be saved'])
    expect(toastsOfType('error')).toEqual([])
    expect(field('System Name')).toHaveValue('')
    expect(field('Session Timeout (minutes)')).toHaveValue(-5)
  })

  it('[SET-5] Reset gives a section its defaults and leaves the others as typed', async () => {
    await open()
    fireEvent.change(field('System Name'), { target: { value: 'Bridge' } })
    fireEvent.change(field('Session Timeout (minutes)'), { target: { value: '7' } })
    fireEvent.click(screen.getByRole('switch', { name: 'Two-Factor Auth' }))
    stopTime()
    fireEvent.click(section('Security').getByRole('button', { name: 'Reset' }))
    await passTime(1010)
    expect(field('Session Timeout (minutes)')).toHaveValue(30)
    expect(screen.getByRole('switch', { name: 'Two-Factor Auth' })).toBeChecked()
    expect(field('System Name')).toHaveValue('Bridge')
  })

  it('[CAP-9] a live port gets what was typed, section by section, under the same labels', async () => {
    const saved: [SettingsForm, string | undefined][] = []
    const { settings } = createSimulatedPorts(async () => {})
    const save = async (form: SettingsForm, part?: string) => void saved.push([form, part])
    renderWithPorts(<SettingsPage />, { settings: { ...settings, kind: 'live', save } })
    fireEvent.change(await screen.findByLabelText('System Name'), { target: { value: 'Bridge' } })
    fireEvent.change(field('Environment'), { target: { value: 'Staging' } })
    fireEvent.click(section('General').getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(toastsOfType('success')).toEqual(['General settings saved']))
    expect(saved).toMatchObject([[{ systemName: 'Bridge', environment: 'Staging' }, 'general']])
    expect(screen.queryByText('Simulated')).not.toBeInTheDocument()
  })
})
