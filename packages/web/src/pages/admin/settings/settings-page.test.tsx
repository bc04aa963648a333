import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakeApi } from '#testkit/fake-api.ts'
import { renderConsole } from '#testkit/render-page.tsx'
import { advanceTime, freezeTime } from '#testkit/time.ts'
import { clearToasts, toastsOfType } from '#testkit/toasts.ts'

const section = (name: string) => within(screen.getByRole('region', { name }))
const field = (label: string) => screen.getByLabelText(label)

const open = async () => {
  const api = createFakeApi()
  const view = renderConsole('/admin/settings')
  await screen.findByLabelText('System Name')
  return { ...view, api }
}

describe('settings', () => {
  afterEach(clearToasts)

  test('[SET-1] General has a name and one of three environments', async () => {
    await open()
    expect(section('General').getByLabelText('System Name')).toHaveValue('Binnacle')
    const environment = section('General').getByLabelText('Environment')
    const options = within(environment).getAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual(['Production', 'Staging', 'Development'])
  })

  test('[SET-2] of Email, Slack and SMS only Email is on', async () => {
    await open()
    expect(section('Notifications').getByRole('switch', { name: 'Email' })).toBeChecked()
    expect(section('Notifications').getByRole('switch', { name: 'Slack' })).not.toBeChecked()
    expect(section('Notifications').getByRole('switch', { name: 'SMS' })).not.toBeChecked()
  })

  test('[SET-3] the session timeout is 30 minutes and two-factor auth is on', async () => {
    await open()
    expect(section('Security').getByLabelText('Session Timeout (minutes)')).toHaveValue(30)
    expect(section('Security').getByRole('switch', { name: 'Two-Factor Auth' })).toBeChecked()
  })

  test('[SET-4] 100 requests at once, cached for 3600 seconds', async () => {
    await open()
    expect(section('Performance').getByLabelText('Max Concurrent Requests')).toHaveValue(100)
    expect(section('Performance').getByLabelText('Cache TTL (seconds)')).toHaveValue(3600)
  })

  test('[SET-5] each section has Save and Reset, the page has four actions of its own', async () => {
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

  test.each([
    ['Export', 'export all settings', 'all settings would be exported'],
    ['Import', 'import all settings', 'all settings would be imported'],
    ['Save All', 'save all settings', 'all settings would be saved'],
    ['Reset All', 'reset all settings', 'all settings would be reset'],
  ])('[SET-6] %s makes no call and succeeds after 1000 ms', async (name, starting, done) => {
    const { api } = await open()
    freezeTime()
    fireEvent.click(screen.getByRole('button', { name }))
    await advanceTime(990)
    expect(toastsOfType('info')).toEqual([`Simulating: ${starting}...`])
    expect(toastsOfType('success')).toEqual([])
    await advanceTime(20)
    expect(toastsOfType('success')).toEqual([`Simulated: ${done}`])
    expect(api.everyCall().filter(({ path }) => !['/health', '/api/capabilities'].includes(path))).toEqual([])
  })

  test.each([
    ['General', 'Save', 'Simulated: General settings would be saved'],
    ['Notifications', 'Save', 'Simulated: Notifications settings would be saved'],
    ['Security', 'Reset', 'Simulated: Security settings would be reset'],
    ['Performance', 'Reset', 'Simulated: Performance settings would be reset'],
  ])('[SET-6] %s, %s succeeds after 1000 ms', async (name, action, done) => {
    await open()
    freezeTime()
    fireEvent.click(section(name).getByRole('button', { name: action }))
    await advanceTime(990)
    expect(toastsOfType('success')).toEqual([])
    await advanceTime(20)
    expect(toastsOfType('success')).toEqual([done])
  })

  test('[SET-7] no input is rejected', async () => {
    const { user } = await open()
    await user.clear(field('System Name'))
    fireEvent.change(field('Session Timeout (minutes)'), { target: { value: '-5' } })
    fireEvent.change(field('Cache TTL (seconds)'), { target: { value: '' } })
    freezeTime()
    fireEvent.click(screen.getByRole('button', { name: 'Save All' }))
    await advanceTime(1010)
    expect(toastsOfType('success')).toEqual(['Simulated: all settings would be saved'])
    expect(toastsOfType('error')).toEqual([])
    expect(field('System Name')).toHaveValue('')
    expect(field('Session Timeout (minutes)')).toHaveValue(-5)
  })

  test('[SET-5] Reset gives a section its defaults and leaves the others as typed', async () => {
    await open()
    fireEvent.change(field('System Name'), { target: { value: 'Bridge' } })
    fireEvent.change(field('Session Timeout (minutes)'), { target: { value: '7' } })
    fireEvent.click(screen.getByRole('switch', { name: 'Two-Factor Auth' }))
    freezeTime()
    fireEvent.click(section('Security').getByRole('button', { name: 'Reset' }))
    await advanceTime(1010)
    expect(field('Session Timeout (minutes)')).toHaveValue(30)
    expect(screen.getByRole('switch', { name: 'Two-Factor Auth' })).toBeChecked()
    expect(field('System Name')).toHaveValue('Bridge')
  })
})
