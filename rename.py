#!/usr/bin/env python3
"""Renames of the house, the same in every clone: run in the top folder with nothing uncommitted, then commit, then merge main."""
import os, re, subprocess, sys, glob
def files(*roots, ext=('.swift',)):
    for r in roots:
        for d, _, fs in os.walk(r):
            if '/.build' in d: continue
            for f in fs:
                if f.endswith(ext): yield os.path.join(d, f)
def sub(paths, pairs):
    for p in paths:
        s = open(p).read(); t = s
        for a, b in pairs: t = re.sub(a, b, t)
        if t != s: open(p, 'w').write(t)
def mv(a, b):
    if os.path.exists(a):
        os.makedirs(os.path.dirname(b), exist_ok=True)
        subprocess.check_call(['git', 'mv', a, b])
W = lambda a, b: (r'\b%s\b' % a, b)
every = lambda: list(files('Sources', 'Tests'))
# 1. one Change
sub(every(), [
  (r'\bPlayerChange\(\s*author: (.+?), reason: (.+?), isDryRun: (.+?), host: ([^,()]+?), ', r'Change(\n      author: \1, reason: \2, now: \4, isDryRun: \3, '),
  (r'\bPlayerChange\(\s*author: (.+?), reason: (.+?), isDryRun: (.+?), host: ([^,()]+?),\n', r'Change(\n      author: \1, reason: \2, now: \4, isDryRun: \3,\n'),
  (r'\bPlayerChange\(author: (.+?), host: ', r'Change(author: \1, now: '),
  (r'\bPlayerChange\(author: (.+?), reason: (.+?), host: ', r'Change(author: \1, reason: \2, now: '),
  (r'\bchange\.host\b', 'change.now'), (r'\bplayerChange\(reason: (.+?), host: ', r'playerChange(reason: \1, now: '),
  W('PlayerChange', 'Change'), W('ChangeContext', 'Change'), W('ChangePrecondition', 'ChangePrecondition')])
mv('Sources/GameConfEngine/UseCases/Store/ChangeContext.swift', 'Sources/GameConfEngine/UseCases/Changes/Change.swift')
mv('Sources/GameConfEngine/Players/PlayerChange.swift', 'Sources/GameConfEngine/UseCases/Changes/PlayerChanged.swift')
mv('Sources/GameConfEngine/UseCases/Store/RepeatedChange.swift', 'Sources/GameConfEngine/UseCases/Changes/RepeatedChange.swift')
mv('Sources/GameConfEngine/UseCases/Store/DaemonAuthor.swift', 'Sources/GameConfEngine/UseCases/Changes/DaemonAuthor.swift')
# 2. the shop
shop = {'StoreAct':'ShopAct','ActOnStore':'ActOnShop','StoreActRoutes':'ShopActRoutes','StoreBehaviour':'ShopBehaviour','StoreCounter':'ShopCounter',
 'StoreEvent':'ShopEvent','StoreLogEntry':'ShopLogEntry','StoreNotification':'ShopNotification','StoreNotificationSubtype':'ShopNotificationSubtype',
 'StoreOutcome':'ShopOutcome','StorePage':'ShopPage','StorePrice':'ShopPrice','StoreTransaction':'ShopTransaction','SimulatorRefusal':'ShopRefusal',
 'WireStoreWord':'WireShopWord','StoreActAnswer':'ShopActAnswer','StoreLogAnswer':'ShopLogAnswer','StoreLogLine':'ShopLogLine',
 'storeSimulatorShapes':'shopShapes','StoreBench':'ShopBench','StoreHistoryTests':'ShopHistoryTests','StoreSimulatorTests':'ShopTests'}
sub(every(), [W(a, b) for a, b in shop.items()])
for a, b in [('GameConfCore/StoreSimulator','GameConfCore/Shop'),('GameConfEngine/UseCases/StoreSimulator','GameConfEngine/UseCases/Shop'),
             ('GameConfHTTP/Routes/StoreSimulator','GameConfHTTP/Routes/Shop')]:
    for p in sorted(glob.glob('Sources/%s/*' % a)):
        mv(p, 'Sources/%s/%s' % (b, re.sub(r'\bStore(Act|Behaviour|Log|Transaction)', r'Shop\1', re.sub('ActOnStore','ActOnShop', re.sub('SimulatorRefusal','ShopRefusal', os.path.basename(p))))))
for a, b in [('GameConfCoreTests/StoreSimulator','GameConfCoreTests/Shop'),('GameConfEngineTests/StoreSimulator','GameConfEngineTests/Shop')]:
    for p in sorted(glob.glob('Tests/%s/*' % a)): mv(p, 'Tests/%s/%s' % (b, re.sub(r'^Store(Bench|Fixtures|History)', r'Shop\1', os.path.basename(p))))
mv('Tests/DaemonTests/StoreSimulatorTests.swift','Tests/DaemonTests/ShopTests.swift')
mv('Sources/GameConfAPI/Answers/StoreLogAnswers.swift','Sources/GameConfAPI/Answers/ShopLogAnswers.swift')
mv('Sources/GameConfAPI/Requests/StoreRequests.swift','Sources/GameConfAPI/Requests/ShopRequests.swift')
mv('Sources/GameConfAPI/Wire/StoreSimulatorCalls.swift','Sources/GameConfAPI/Wire/ShopCalls.swift')
mv('Sources/GameConfCore/Catalog/CatalogCheckStore.swift','Sources/GameConfCore/Catalog/CatalogCheckProducts.swift')
mv('Sources/GameConfCore/Catalog/Store.swift','Sources/GameConfCore/Catalog/Products.swift')
mv('Sources/GameConfFormats/Catalog/CatalogFormatStore.swift','Sources/GameConfFormats/Catalog/CatalogFormatProducts.swift')
mv('Sources/gameconfctl/Commands/Iap/StoreCounter.swift','Sources/gameconfctl/Commands/Iap/ShopCounter.swift')
# 3. no name twice
api = list(files('Sources/GameConfAPI','Sources/gameconfctl','Tests/GameConfAPITests','Tests/GameConfCtlTests'))
sub(every(), [(r'\bGameConfAPI\.OverrideRecord\b', 'WireOverride'), (r'\bGameConfCore\.OverrideRecord\b', 'OverrideRecord')])
sub(api, [W('OverrideRecord', 'WireOverride')])
mv('Sources/GameConfAPI/Answers/OverrideRecord.swift','Sources/GameConfAPI/Answers/WireOverride.swift')
sub(list(files('Sources/GameConfEngine','Tests/GameConfEngineTests')), [
  (r'\bGameConfCore\.ConstraintCheck\b', '@@CC'), W('ConstraintCheck', 'OverrideConstraints'), ('@@CC', 'ConstraintCheck')])
mv('Sources/GameConfEngine/UseCases/Overrides/ConstraintCheck.swift','Sources/GameConfEngine/UseCases/Overrides/OverrideConstraints.swift')
tr = list(files('Sources/GameConfTransport','Sources/gameconfctl','Tests/GameConfTransportTests','Tests/GameConfCtlTests'))
sub(tr, [(r'(?<=: )Request(?=\)|\.Body| \{)', 'OutgoingRequest'), (r'(?<=[ (])Request(?=\(|\.Body)', 'OutgoingRequest'), (r'\b(struct|_ request:) Request\b', r'\1 OutgoingRequest'),
  (r'-> Request\.Body', '-> OutgoingRequest.Body')])
sub(list(files('Sources/GameConfTransport')), [(r'(?<!")\bConnection\b(?!")', 'ClientConnection')])
mv('Sources/GameConfTransport/Request.swift','Sources/GameConfTransport/OutgoingRequest.swift')
mv('Sources/GameConfTransport/Connection.swift','Sources/GameConfTransport/ClientConnection.swift')
sub(list(files('Sources/GameConfHTTP/Watch')), [W('TurnQueue', 'WatchTurns')])
mv('Sources/GameConfHTTP/Watch/TurnQueue.swift','Sources/GameConfHTTP/Watch/WatchTurns.swift')
sub(list(files('Sources/gameconfd')), [W('FileBytes', 'FolderFiles')])
mv('Sources/gameconfd/Catalogs/FileBytes.swift','Sources/gameconfd/Catalogs/FolderFiles.swift')
sub(['Sources/gameconfd/Daemon.swift','Sources/gameconfd/GameConfDaemon.swift'], [(r'\bstruct Daemon\b', 'struct DaemonProcess'), (r'\bDaemon\(settings', 'DaemonProcess(settings')])
mv('Sources/gameconfd/Daemon.swift','Sources/gameconfd/DaemonProcess.swift')
ctl = list(files('Sources/gameconfctl','Tests/GameConfCtlTests'))
sub(ctl, [W('OverrideEdit','OverrideOrder'), W('OverrideTable','OverrideListing'), W('ReloadCatalogs','CatalogsReload'), W('StoreBackup','StoreBackupMake'), W('StoreCheck','StoreCheckRun')])
mv('Sources/gameconfctl/Commands/Config/OverrideEdit.swift','Sources/gameconfctl/Commands/Config/OverrideOrder.swift')
mv('Sources/gameconfctl/Showing/OverrideTable.swift','Sources/gameconfctl/Showing/OverrideListing.swift')
mv('Sources/gameconfctl/Commands/Daemon/ReloadCatalogs.swift','Sources/gameconfctl/Commands/Daemon/CatalogsReload.swift')
mv('Sources/gameconfctl/Commands/Store/StoreBackup.swift','Sources/gameconfctl/Commands/Store/StoreBackupMake.swift')
mv('Sources/gameconfctl/Commands/Store/StoreCheck.swift','Sources/gameconfctl/Commands/Store/StoreCheckRun.swift')
