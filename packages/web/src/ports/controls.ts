import type { Monitoring as Measured } from '@binnacle/contract'

/**
 * A live port acts on the engine; a simulated one only waits, as the specification's mock-ups do. One that is not offered
 * lists names without a status, and its controls are disabled (CAP-8).
 */
export type PortKind = 'simulated' | 'live' | 'not-offered'

interface Port {
  readonly kind: PortKind
}

export interface ComponentEntry {
  id: string
  name: string
  type: string
  status: string
  /** Only from a live port. */
  config?: ComponentConfig
}

export type ComponentConfig = Record<string, unknown>

export type LifecycleAction = 'start' | 'stop' | 'restart'
export type ComponentAction = LifecycleAction | 'configure'

/** The outcome for one component of an action on all of them. */
export interface ComponentOutcome {
  id: string
  name: string
  /** Why the action failed; undefined if it succeeded. */
  error?: unknown
}

/** Starts, stops, restarts and configures engine components, one or all. */
export interface ComponentControls extends Port {
  list(): Promise<readonly ComponentEntry[]>
  act(action: ComponentAction, componentId: string): Promise<void>
  /** Goes on after a failure. A live port reports the outcome of each component, a simulated one nothing. */
  actOnAll(action: LifecycleAction): Promise<readonly ComponentOutcome[]>
  /** If present, the screen opens a configuration form first. */
  configure?(componentId: string, config: ComponentConfig): Promise<void>
}

export interface FeatureFlag {
  id: string
  name: string
  /** Absent when the engine does not offer flags. */
  enabled?: boolean | undefined
  /** Why it cannot be switched now. */
  blocked?: string | undefined
}

/** What became of one flag when all were switched. */
export interface FlagOutcome {
  id: string
  name: string
  enabled: boolean
  changed: boolean
  refused?: string | undefined
}

/** Switches feature flags. */
export interface FeatureControls extends Port {
  list(): Promise<readonly FeatureFlag[]>
  setEnabled(flagId: string, enabled: boolean): Promise<void>
  /** A live port reports what became of each, a simulated one nothing. */
  setAllEnabled(enabled: boolean): Promise<readonly FlagOutcome[]>
}

export interface ServiceEntry {
  id: string
  name: string
  status: string
}

export type ServiceAction = LifecycleAction | 'configure'

/** Controls services. A separate port, because a backend may offer services without feature flags. */
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

/** The live ones are read and switched by data/adapters.ts, which only their screen loads. */
export type Adapters = AdapterControls | { readonly kind: 'live' }

/** Controls adapters. `setConnected` names the target state, so repeating it is safe. */
export interface AdapterControls {
  readonly kind: Exclude<PortKind, 'live'>
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

/** Platform figures: fixed examples, formatted for display, or what the server measured. */
export type Monitoring = FixedMonitoring | LiveMonitoring

export interface FixedMonitoring {
  readonly kind: Exclude<PortKind, 'live'>
  figures(): Promise<MonitoringFigures>
}

export interface LiveMonitoring {
  readonly kind: 'live'
  read(): Promise<Measured>
}

export const SETTINGS_SECTIONS = ['general', 'notifications', 'security', 'performance'] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

export const ENVIRONMENTS = ['Production', 'Staging', 'Development'] as const

/** Values as typed: the baseline validates none of them. */
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

/** Platform settings. Those of a live server have a screen of their own, with more fields. */
export type SettingsControls = FixedSettings | LiveSettings

export interface LiveSettings {
  readonly kind: 'live'
}

/** Without a section an action applies to all of them. */
export interface FixedSettings {
  readonly kind: Exclude<PortKind, 'live'>
  load(): Promise<SettingsForm>
  save(form: SettingsForm, section?: SettingsSection): Promise<void>
  /** Returns the settings after the reset. */
  reset(section?: SettingsSection): Promise<SettingsForm>
  exportAll(): Promise<void>
  importAll(): Promise<void>
}

export interface Ports {
  components: ComponentControls
  features: FeatureControls
  services: ServiceControls
  adapters: Adapters
  monitoring: Monitoring
  settings: SettingsControls
}
