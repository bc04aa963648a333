import { system } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import type { MemoryReader } from '#services/memory.ts'

export function addMemoryRoutes(app: FastifyInstance, memory: MemoryReader): void {
  mount(app, system.memory, () => memory.read())
}
