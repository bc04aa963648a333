import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

export const THEME_ICONS = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop }
