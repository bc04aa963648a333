import type { Monitoring, MonitoringFigures } from '#ports/controls.ts'

const FIGURES: MonitoringFigures = {
  cpuUsage: '45%',
  memory: '2.1GB',
  requestsPerSecond: '1,234',
  uptime: '99.9%',
}

export function createSimulatedMonitoring(): Monitoring {
  return { kind: 'simulated', figures: async () => FIGURES }
}
