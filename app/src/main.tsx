import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@breakwater/core/shell/ui/styles/index.ts';
import { mount } from './mount.tsx';

try {
  mount();
} catch (error) {
  // Text: specification §8 "Mount failure".
  console.error('Error while mounting app', error);
  throw error;
}
