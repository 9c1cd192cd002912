/**
 * Mantine's inputs, drawn anew only when they look different. Drawing one takes about a millisecond, and an editor
 * draws all its fields at each key.
 */
import {
  ColorInput as MantineColorInput,
  type ColorInputProps,
  NativeSelect as MantineNativeSelect,
  type NativeSelectProps,
  Select as MantineSelect,
  type SelectProps,
  Switch as MantineSwitch,
  type SwitchProps,
  Textarea as MantineTextarea,
  type TextareaProps,
  TextInput as MantineTextInput,
  type TextInputProps,
} from '@mantine/core'
import { type ComponentType, memo } from 'react'
import { useSteady } from './steady.ts'

export const ColorInput = steady<ColorInputProps>(MantineColorInput)
export const NativeSelect = steady<NativeSelectProps>(MantineNativeSelect)
export const Select = steady<SelectProps>(MantineSelect as ComponentType<SelectProps>)
export const Switch = steady<SwitchProps>(MantineSwitch)
export const Textarea = steady<TextareaProps>(MantineTextarea)
export const TextInput = steady<TextInputProps>(MantineTextInput)

function steady<Props extends object>(Input: ComponentType<Props>) {
  const Drawn = memo(Input) as unknown as ComponentType<Props>
  return function Steady(props: Props) {
    const handlers = Object.entries(props).filter(
      ([name, value]) => /^on[A-Z]/.test(name) && typeof value === 'function',
    )
    return <Drawn {...props} {...useSteady(Object.fromEntries(handlers))} />
  }
}
