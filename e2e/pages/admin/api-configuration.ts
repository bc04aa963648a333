import type { Locator } from '@playwright/test'
import { Confirmation } from '#pages/confirmation.ts'
import { control } from '#pages/control.ts'
import { entry } from '#pages/entry.ts'
import { Screen } from '#pages/screen.ts'

export interface RouteFields {
  method: string
  path: string
  description: string
  parameters: string
}

export class ApiConfigurationPage extends Screen {
  readonly path = '/admin/api-config'
  readonly title = 'API Configuration'

  service(name: string): Locator {
    return entry(this.card('API Services'), name)
  }

  get routes(): Locator {
    return this.card('Routes')
  }

  /** A route is known by its description. */
  route(description: string): Locator {
    return entry(this.routes, description)
  }

  action(description: string, name: 'Toggle' | 'Test' | 'Edit' | 'Delete'): Locator {
    return control(this.route(description), name)
  }

  get deleteQuestion(): Confirmation {
    return new Confirmation(this.page, 'Are you sure you want to delete this route?')
  }

  disableQuestion(method: string, path: string): Confirmation {
    return new Confirmation(this.page, `Disable ${method} ${path}?`)
  }

  sendQuestion(method: string, path: string): Confirmation {
    return new Confirmation(this.page, `Send ${method} ${path}?`)
  }

  ownServerQuestion(method: string, path: string): Confirmation {
    return new Confirmation(this.page, `Send ${method} ${path} to this server itself?`)
  }

  /** The add form, or the row that is being edited. */
  get form(): Locator {
    return this.routes.getByRole('form')
  }

  async openWith(service: string): Promise<void> {
    await this.open()
    await this.service(service).getByRole('button').click()
    await this.routes.waitFor()
  }

  async fill({ method, path, description, parameters }: RouteFields): Promise<void> {
    await this.form.getByLabel('Method').selectOption(method)
    await this.form.getByLabel('Path').fill(path)
    await this.form.getByLabel('Description').fill(description)
    await this.form.getByLabel('Parameters').fill(parameters)
  }

  async submit(name: 'Add Route' | 'Save'): Promise<void> {
    await this.form.getByRole('button', { name }).click()
  }
}
