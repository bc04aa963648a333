/** How a port acts: on the engine, or only in appearance as the specification's mock-ups do. */
export type PortKind = 'simulated' | 'live'

export interface ComponentEntry {
  id: string
  name: string
  type: string
  status: string
}

export type ComponentAction = 'start' | 'stop' | 'restart' | 'configure'

export interface ComponentControls {
  readonly kind: PortKind
  list(): Promise<readonly ComponentEntry[]>
  act(action: ComponentAction, componentId: string): Promise<void>
  actOnAll(action: 'start' | 'stop' | 'restart'): Promise<void>
}

export interface FeatureFlag {
  id: string
  name: string
  enabled: boolean
}

export interface ServiceEntry {
  id: string
  name: string
  status: string
}

export type ServiceAction = 'start' | 'stop' | 'restart' | 'configure'

export interface FeatureControls {
  readonly kind: PortKind
  flags(): Promise<readonly FeatureFlag[]>
  services(): Promise<readonly ServiceEntry[]>
  setFlag(flagId: string, enabled: boolean): Promise<void>
  setAllFlags(enabled: boolean): Promise<void>
  act(action: ServiceAction, serviceId: string): Promise<void>
}

export interface AdapterEntry {
  id: string
  name: string
  type: string
  status: string
}

export interface AdapterControls {
  readonly kind: PortKind
  list(): Promise<readonly AdapterEntry[]>
  toggle(adapterId: string): Promise<void>
  test(adapterId: string): Promise<void>
  configure(adapterId: string): Promise<void>
  setAll(connected: boolean): Promise<void>
  testAll(): Promise<void>
}

export interface MonitoringFigures {
  cpuUsage: string
  memory: string
  requestsPerSecond: string
  uptime: string
}

export interface Monitoring {
  readonly kind: PortKind
  figures(): Promise<MonitoringFigures>
}

export const SETTINGS_SECTIONS = ['general', 'notifications', 'security', 'performance'] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

/** Kept as typed: the baseline validates none of them. */
export interface SettingsForm {
  systemName: string
  environment: 'Production' | 'Staging' | 'Development'
  email: boolean
  slack: boolean
  sms: boolean
  sessionTimeoutMin: string
  twoFactorAuth: boolean
  maxConcurrentRequests: string
  cacheTtlS: string
}

export interface SettingsControls {
  readonly kind: PortKind
  load(): Promise<SettingsForm>
  save(form: SettingsForm, section?: SettingsSection): Promise<void>
  reset(section?: SettingsSection): Promise<SettingsForm>
  exportAll(): Promise<void>
  importAll(): Promise<void>
}

export interface Ports {
  components: ComponentControls
  features: FeatureControls
  adapters: AdapterControls
  monitoring: Monitoring
  settings: SettingsControls
}
