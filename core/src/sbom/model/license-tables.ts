import type { LicenseClass } from './license-classes.ts';

/** Categories of core/data/spdx-licenses.json. */
export const CATEGORY_CLASS: Readonly<Record<string, LicenseClass>> = {
  'public-domain-like': 'permissive',
  permissive: 'permissive',
  'weak-copyleft': 'weak_copyleft',
  'strong-copyleft': 'strong_copyleft',
  'network-copyleft': 'network_copyleft',
  'source-available': 'proprietary',
  unclassified: 'unknown',
};

/**
 * Ids whose category in the file is missing or too coarse, read from the licence texts on 2026-11-21:
 * permissive: no condition beyond notices (CeCILL-B asks for attribution only).
 * weak: copyleft of the file or the library; GPL with an exception for linking or generated output.
 * network: OSL, RPL, CPAL, EUPL from 1.1, CAL, NPOSL, Watcom and RPSL count "external deployment" or use over a network as passing on.
 */
const CORRECTIONS: readonly (readonly [LicenseClass, string])[] = [
  [
    'permissive',
    `AAL ANTLR-PD ANTLR-PD-fallback Artistic-dist Bitstream-Vera Boehm-GC bzip2-1.0.5 bzip2-1.0.6 CC-PDDC CC-PDM-1.0
    CDLA-Permissive-1.0 CDLA-Permissive-2.0 CECILL-B CERN-OHL-P-2.0 CNRI-Python CNRI-Python-GPL-Compatible COIL-1.0
    DL-DE-BY-2.0 DL-DE-ZERO-2.0 DOC EFL-1.0 EFL-2.0 Entessa etalab-2.0 EUDatagrid Fair FSFAP FSFAP-no-warranty-disclaimer
    FSFUL FSFULLR FSFULLRSD FSFULLRWD GD HaskellReport HDF5 HTMLTIDY ImageMagick Info-ZIP Intel Intel-ACPI JasPer-2.0 libtiff
    LiLiQ-P-1.1 Linux-OpenIB LZMA-SDK-9.22 MirOS mpich2 MTLL NAIST-2003 Naumen NCBI-PD Net-SNMP NetCDF NICTA-1.0 NIST-PD
    NIST-PD-fallback NIST-Software NLOD-1.0 NLOD-2.0 NTIA-PD O-UDA-1.0 ODC-By-1.0 OGL-Canada-2.0 OGL-UK-1.0 OGL-UK-2.0
    OGL-UK-3.0 OGTSL OLDAP-2.0 OLDAP-2.0.1 OLDAP-2.1 OLDAP-2.2 OLDAP-2.2.1 OLDAP-2.2.2 OLDAP-2.3 OLDAP-2.4 OLDAP-2.5
    OLDAP-2.6 OLDAP-2.7 OLDAP-2.8 OpenMDW-1.0 Plexus python-ldap Qhull RSA-MD Saxpath SchemeReport Sendmail SGI-B-2.0 SMLNJ
    SOFA Spencer-86 Spencer-94 Spencer-99 SSH-OpenSSH SSH-short SSLeay-standalone StandardML-NJ SunPro SWL TCP-wrappers TMate
    TU-Berlin-1.0 TU-Berlin-2.0 UCAR UCL-1.0 UnixCrypt VSL-1.0 WTFNMFPL Xerox XFree86-1.1 Xnet Zend-2.0 ZPL-1.1 ZPL-2.0
    ZPL-2.1`,
  ],
  [
    'weak_copyleft',
    `APL-1.0 CDLA-Sharing-1.0 CERN-OHL-W-2.0 CUA-OPL-1.0 eCos-2.0 ESA-PL-weak-copyleft-2.4 Frameworx-1.0
    GPL-2.0-with-autoconf-exception GPL-2.0-with-bison-exception GPL-2.0-with-classpath-exception GPL-2.0-with-font-exception
    GPL-2.0-with-GCC-exception GPL-3.0-with-autoconf-exception GPL-3.0-with-GCC-exception gSOAP-1.3b Interbase-1.0 IPA
    LiLiQ-R-1.1 LPPL-1.0 LPPL-1.1 LPPL-1.2 LPPL-1.3a LPPL-1.3c Motosoto MS-LPL NASA-1.3 NOSL Nokia NPL-1.0 NPL-1.1
    OCCT-PL OCLC-2.0 OPL-1.0 RHeCos-1.1 RSCPL SGI-B-1.0 SGI-B-1.1 SNIA SugarCRM-1.1.3 Ubuntu-font-1.0 wxWindows YPL-1.0 YPL-1.1
    Zimbra-1.3 Zimbra-1.4`,
  ],
  [
    'strong_copyleft',
    `BitTorrent-1.0 BitTorrent-1.1 CC-SA-1.0 CERN-OHL-1.1 CERN-OHL-1.2 CERN-OHL-S-2.0 copyleft-next-0.3.0 copyleft-next-0.3.1
    D-FSL-1.0 ESA-PL-strong-copyleft-2.4 LAL-1.2 LAL-1.3 LiLiQ-Rplus-1.1 NGPL SimPL-2.0 TAPR-OHL-1.0 TGPPL-1.0`,
  ],
  [
    'network_copyleft',
    `CAL-1.0 CAL-1.0-Combined-Work-Exception CPAL-1.0 EUPL-1.1 EUPL-1.2 NPOSL-3.0 OSL-1.0 OSL-1.1 OSL-2.0 OSL-2.1 OSL-3.0
    RPL-1.1 RPL-1.5 RPSL-1.0 Watcom-1.0`,
  ],
  ['proprietary', 'CPOL-1.02 C-UDA-1.0 InnoSetup OLFL-1.3 Sendmail-8.23 SUL-1.0 TPL-1.0 UnRAR'],
];

/** Corrected class by id in lower case. */
export const CORRECTED_CLASS: ReadonlyMap<string, LicenseClass> = new Map(
  CORRECTIONS.flatMap(([licenseClass, ids]) =>
    ids.split(/\s+/).map((id): [string, LicenseClass] => [id.toLowerCase(), licenseClass]),
  ),
);

/** Exceptions that free what is only linked or generated: strong copyleft weighs as weak with them. In lower case. */
export const LINKING_EXCEPTIONS: ReadonlySet<string> = new Set(
  `autoconf-exception-2.0 autoconf-exception-3.0 autoconf-exception-generic autoconf-exception-generic-3.0 autoconf-exception-macro
  bison-exception-1.24 bison-exception-2.2 bootloader-exception classpath-exception-2.0 classpath-exception-2.0-short
  ecos-exception-2.0 fawkes-runtime-exception fltk-exception font-exception-2.0 freertos-exception-2.0 gcc-exception-2.0
  gcc-exception-2.0-note gcc-exception-3.1 gnu-javamail-exception gpl-3.0-linking-exception gpl-3.0-linking-source-exception
  i2p-gpl-java-exception libtool-exception linux-syscall-note mif-exception ocaml-lgpl-linking-exception
  openjdk-assembly-exception-1.0 qt-gpl-exception-1.0 u-boot-exception-2.0 wxwindows-exception-3.1`.split(/\s+/),
);

/** What reports write instead of an id, in lower case without "the", "license" and punctuation (see `plainName`). */
export const NAME_CLASS: ReadonlyMap<string, LicenseClass> = new Map(
  (
    [
      [
        'permissive',
        'apache|apache 1.1|apache 2|apache 2.0|apache-2|apache software|apache software 2.0|apache version 2.0|asl 2.0|bsd|bsd 2-clause|bsd 3-clause|bsd-2|bsd-3|bsd-4|bsd-style|cc0|expat|isc|mit|mit/x11|mit x11|mit-style|modified bsd|new bsd|new bsd and revised bsd|pd|psf|python|python software foundation|public domain|public-domain|revised bsd|simplified bsd|unicode|x11|zlib|zlib/libpng|zope public',
      ],
      [
        'weak_copyleft',
        'cddl|cddl 1.0|cddl 1.1|epl|eclipse public|eclipse public 1.0|eclipse public 2.0|gnu lesser general public|gnu library general public|lesser general public|lgpl|lgpl 2.1|lgpl-2|lgpl-2+|lgpl-2.1+|lgpl-3|lgpl-3+|lgplv2|lgplv2+|lgplv2.1|lgplv2.1+|lgplv3|lgplv3+|mozilla public|mozilla public 1.1|mozilla public 2.0|mpl|mpl 1.1|mpl 2.0|mpl-1.1|mpl-2',
      ],
      [
        'strong_copyleft',
        'gfdl|gfdl-1.2|gfdl-1.2+|gfdl-1.3|gfdl-1.3+|gfdl-3|gnu general public|gnu gpl|gnu gpl v2|gnu gpl v3|gpl|gpl 2|gpl 3|gpl v2|gpl v3|gpl-1|gpl-1+|gpl-2|gpl-2+|gpl-3|gpl-3+|gpl2|gpl2+|gpl3|gpl3+|gplv2|gplv2+|gplv3|gplv3+',
      ],
      ['network_copyleft', 'agpl|agpl-3|agpl-3+|agplv3|agplv3+|gnu affero general public|gnu agpl'],
      [
        'proprietary',
        'all rights reserved|business source|business source 1.1|commercial|elastic|proprietary|server side public|sspl|unlicensed',
      ],
    ] as const
  ).flatMap(([licenseClass, names]) => names.split('|').map((name): [string, LicenseClass] => [name, licenseClass])),
);
