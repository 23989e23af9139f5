import { paletteSources as findings } from '@breakwater/core/findings/ui/palette.ts';
import { paletteSources as repositories } from '@breakwater/core/repositories/ui/palette.ts';
import { paletteSources as sbom } from '@breakwater/core/sbom/ui/palette.ts';
import type { PaletteSource } from '@breakwater/core/shell/ui/navigation/palette-source.ts';

/** What the palette finds; comes with the palette. */
export const paletteSources: readonly PaletteSource[] = [...findings, ...sbom, ...repositories];
