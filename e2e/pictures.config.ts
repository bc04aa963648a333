import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** Draws the pictures of the documentation again: `npm run pictures`. */
export default defineConfig({ ...journeys, testDir: 'pictures', testMatch: '**/*.pictures.ts', workers: 1 })
