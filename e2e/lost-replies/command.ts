import type { Page } from '@playwright/test'
import type { Api } from './api.ts'

/** A command of a screen, and what the screen says when its reply is lost. */
export interface LostCommand {
  name: string
  /** The request that is disturbed, as method and a pattern of its path. */
  call: [method: string, path: RegExp]
  /** Creates what the command acts on and returns its name. */
  prepare?: (api: Api) => Promise<string>
  /** Opens the screen, up to the point from which `press` can be repeated. */
  open: (page: Page, subject: string) => Promise<void>
  press: (page: Page, subject: string) => Promise<void>
  says: string | RegExp
  /** Once it is carried out its button is gone, so that it cannot be pressed again. */
  removesButton?: boolean
  /** How often it was carried out. Commands that create something have it, and are pressed again. */
  count?: (api: Api, subject: string) => Promise<number>
}
