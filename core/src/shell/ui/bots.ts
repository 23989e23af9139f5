const BOT =
  /(?<!cu)bot\b|crawler|spider|slurp|bingpreview|facebookexternalhit|facebot|whatsapp|embedly|quora link preview|pinterest|vkshare|w3c_validator|lighthouse|google-inspectiontool|mediapartners|headlesspreview/i;

/** Search engines and link previews: a fault is only logged for them (specification §8 "Unhandled app error"). */
export const isBot = (userAgent: string): boolean => BOT.test(userAgent);
