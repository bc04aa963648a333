/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_TRADING_API_URL?: string
  readonly VITE_ADMIN_API_URL?: string
}
