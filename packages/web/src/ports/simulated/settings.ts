import type { SettingsControls, SettingsForm } from '#ports/controls.ts'
import { SIMULATED_MS, type Wait } from './wait.ts'

const DEFAULTS: SettingsForm = {
  systemName: 'Binnacle',
  environment: 'Production',
  email: true,
  slack: false,
  sms: false,
  sessionTimeoutMin: '30',
  twoFactorAuth: true,
  maxConcurrentRequests: '100',
  cacheTtlS: '3600',
}

export function createSimulatedSettings(wait: Wait): SettingsControls {
  return {
    kind: 'simulated',
    load: async () => DEFAULTS,
    save: () => wait(SIMULATED_MS),
    reset: () => wait(SIMULATED_MS).then(() => DEFAULTS),
    exportAll: () => wait(SIMULATED_MS),
    importAll: () => wait(SIMULATED_MS),
  }
}
