/** How a port acts: on the engine, or only in appearance as the specification's mock-ups do. */
export type PortKind = 'simulated' | 'live'

interface Port {
  readonly kind: PortKind
}

export interface ComponentEntry {
  id: string
  name: string
  type: string
  status: string
  /** Told by a live port only. */
  config?: ComponentConfig
}

export type ComponentConfig = Record<string, unknown>

export type LifecycleAction = 'start' | 'stop' | 'restart'
export type ComponentAction = LifecycleAction | 'configure'

/** The engine's components: started, stopped, restarted and configured, one or all. */
export interface ComponentControls extends Port {
  list(): Promise<readonly ComponentEntry[]>
  act(action: ComponentAction, componentId: string): Promise<void>
  actOnAll(action: LifecycleAction): Promise<void>
  /** Where a configuration can really be given, the screen asks for one first. */
  configure?(componentId: string, config: ComponentConfig): Promise<void>
}

export interface FeatureFlag {
  id: string
  name: string
  enabled: boolean
}

/** Feature flags: what the platform offers at all. */
export interface FeatureControls extends Port {
  list(): Promise<readonly FeatureFlag[]>
  setEnabled(flagId: string, enabled: boolean): Promise<void>
  setAllEnabled(enabled: boolean): Promise<void>
}

export interface ServiceEntry {
  id: string
  name: string
  status: string
}

export type ServiceAction = LifecycleAction | 'configure'

/** The services beside the engine. Their own port, since a backend may offer them without the flags. */
export interface ServiceControls extends Port {
  list(): Promise<readonly ServiceEntry[]>
  act(action: ServiceAction, serviceId: string): Promise<void>
}

export interface AdapterEntry {
  id: string
  name: string
  type: string
  status: string
}

/** The ways to exchanges and brokers. Connecting names the state wanted, so that a repeat does no harm. */
export interface AdapterControls extends Port {
  list(): Promise<readonly AdapterEntry[]>
  setConnected(adapterId: string, connected: boolean): Promise<void>
  setAllConnected(connected: boolean): Promise<void>
  test(adapterId: string): Promise<void>
  testAll(): Promise<void>
  configure(adapterId: string): Promise<void>
}

export interface MonitoringFigures {
  cpuUsage: string
  memory: string
  requestsPerSecond: string
  uptime: string
}

/** How the platform is doing, in figures as they are shown. */
export interface Monitoring extends Port {
  figures(): Promise<MonitoringFigures>
}

export const SETTINGS_SECTIONS = ['general', 'notifications', 'security', 'performance'] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

export const ENVIRONMENTS = ['Production', 'Staging', 'Development'] as const

/** Kept as typed: the baseline validates none of them. */
export interface SettingsForm {
  systemName: string
  environment: (typeof ENVIRONMENTS)[number]
  email: boolean
  slack: boolean
  sms: boolean
  sessionTimeoutMin: string
  twoFactorAuth: boolean
  maxConcurrentRequests: string
  cacheTtlS: string
}

/** The platform's settings; without a section an act is on all of them. */
export interface SettingsControls extends Port {
  load(): Promise<SettingsForm>
  save(form: SettingsForm, section?: SettingsSection): Promise<void>
  /** Gives the settings as they are afterwards. */
  reset(section?: SettingsSection): Promise<SettingsForm>
  exportAll(): Promise<void>
  importAll(): Promise<void>
}

export interface Ports {
  components: ComponentControls
  features: FeatureControls
  services: ServiceControls
  adapters: AdapterControls
  monitoring: Monitoring
  settings: SettingsControls
}
