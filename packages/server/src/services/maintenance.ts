import type { DataExport, ExportFormat, ExportStore, StoreStatus } from '@binnacle/contract'
import type { JobControl } from '@binnacle/stores'
import type { Attachment } from '#http/attachment.ts'
import type { Refused } from '#http/problems.ts'
import type { StartedJob } from '#services/jobs/job.ts'
import type { AuditContext } from '#storage/audit/audit-context.ts'

export type StoreKind = 'postgresql' | 'parquet' | 'redis'
export type MaintenanceTarget = StoreKind | 'all'

export interface CleanOptions {
  dryRun: boolean
  allKeys: boolean
}

export type StartedMaintenance = StartedJob<{ message: string }> | Refused

/** Maintenance of the stores. Each call starts a job whose result is the message for the person. */
export interface Maintenance {
  backUp(audit: AuditContext, store: MaintenanceTarget): Promise<StartedMaintenance>
  optimise(audit: AuditContext, store: MaintenanceTarget): Promise<StartedMaintenance>
  clean(audit: AuditContext, store: MaintenanceTarget, options: CleanOptions): Promise<StartedMaintenance>
  /** The store that an action on its kind uses, for each kind that is configured. */
  status(): Promise<StoreStatus[]>
  redisStats(): Promise<Record<string, unknown> | Refused>
  exports(): Promise<{ stores: ExportStore[]; files: DataExport[] }>
  exportData(audit: AuditContext, stores: readonly string[], format: ExportFormat): Promise<StartedExport>
  exportFile(name: string): Promise<Attachment | undefined>
}

export type StartedExport = StartedJob<{ message: string; file: string }> | Refused

/** Backups of all stores at once, as scheduled tasks run them. */
export interface StoreBackups {
  backUpAll(control: JobControl): Promise<BatchReport>
  /** Restores the newest backup of each store into a scratch folder. */
  drillAll(control: JobControl): Promise<BatchReport>
}

export interface BatchReport {
  done: { connection: string; backup: number; bytes: number; warnings: string[] }[]
  failed: { connection: string; error: string; isUnreached: boolean }[]
}
