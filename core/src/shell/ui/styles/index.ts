// Blueprint's sheets are modules of their own and not `@import`ed by ours: only so does the build's plugin see them and
// map their blues onto our violet. The order is the order in which they override.
import '@blueprintjs/core/lib/css/blueprint.css';
import '@blueprintjs/select/lib/css/blueprint-select.css';
import './index.css';
