import { Link } from 'react-router-dom';

/** `/forgot-password`: what helps on an installation that sends no mail (decisions.md "Starting it"). */
export function ForgotPasswordScreen() {
  return (
    <div className="signin">
      <h1>Forgot password</h1>
      <p className="lead">This installation sends no mail, so a password is reset on the server.</p>
      <p className="t2">Ask whoever runs it to enter this command with your email address:</p>
      <pre className="command">
        <code>npm run admin -- reset-password &lt;email&gt;</code>
      </pre>
      <p className="after">
        <Link to="/login">Back to sign in</Link>
      </p>
    </div>
  );
}
