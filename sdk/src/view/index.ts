export { connectView, type View, type ViewError, type ViewRoutes } from './connect-view.ts';
export {
  VIEW_GREETING,
  type ViewAppearance,
  type ViewConnection,
  type ViewErrorCode,
  type ViewMessage,
  type ViewRequest,
} from './view-messages.ts';
